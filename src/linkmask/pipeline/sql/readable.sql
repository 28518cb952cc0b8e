-- Pieces that a mask leaves readable.
select piece.*
from piece
where not exists (select 1 from masked where masked.entity = piece.entity)
