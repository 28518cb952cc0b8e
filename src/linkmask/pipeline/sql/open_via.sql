-- What chains share that the mask leaves readable, of chains that were unmet last time.
select via.chain, place, z
from {via} as via
where not exists (select 1 from masked where masked.entity = via.place % {high})
