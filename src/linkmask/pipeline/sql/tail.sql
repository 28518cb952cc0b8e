-- Pieces that can link, z = −ln(1 − share), and the sum of bounds from each to its document's end.
select document, place, z, bound,
       cast(sum(bound) over (
         partition by document order by place desc rows between unbounded preceding and current row
       ) as bigint) as rest
from (
  select document, place, {z:share} as z, {z:most} as bound
  from {pieces}
  where place >= 2 * {high}
) as one
where bound > 0
