-- What chains share, chain after chain.
select cast(place % {high} as integer) as entity, z
from via
order by chain, place
