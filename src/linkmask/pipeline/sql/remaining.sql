-- Pieces of the chains' documents that the mask leaves readable.
select stage.document, share
from stage
where not exists (select 1 from masked where masked.entity = stage.entity)
