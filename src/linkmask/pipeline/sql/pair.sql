-- Pairs of documents with one signature, of a slice of the signatures.
select one.document as low, two.document as up, one.last, one.depth
from signature as one
join signature as two on two.head = one.head and two.last = one.last
where one.document < two.document
  and one.head % {slices} = {slice} and two.head % {slices} = {slice}
  and not exists (
    select 1 from blocked where blocked.head = one.head and blocked.last = one.last
  )
