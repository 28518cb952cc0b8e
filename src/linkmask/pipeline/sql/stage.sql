-- Readable pieces of the documents that stand in a chain.
select readable.document, entity, share
from readable
where exists (select 1 from chain where chain.low = readable.document)
   or exists (select 1 from chain where chain.up = readable.document)
