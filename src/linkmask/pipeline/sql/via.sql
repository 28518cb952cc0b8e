-- What the documents of a chain share.
select chain, one.place, greatest(one.z, two.z) as z
from chain
join tail as one on one.document = low
join cell as two on two.cell = up * {high} + one.place % {high}
