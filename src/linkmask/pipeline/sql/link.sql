-- Pairs at or above the threshold, by the exact strength. A pair is decided where its signature is
-- the first it shares: depth entities up to last, and no more.
select low, up, cast(sum(greatest(one.z, two.z)) as bigint) as z
from pair
join tail as one on one.document = low
join cell as two on two.cell = up * {high} + one.place % {high}
group by low, up, last, depth
having sum(greatest(one.z, two.z)) >= {need}
   and sum(case when one.place <= last then 1 else 0 end) = depth
