-- How much each entity could help all unmet chains, and its turn: most first, then the rarest.
select place, cast(sum(help) as bigint) as score,
       row_number() over (order by sum(help) desc, place) as turn
from help
group by place
