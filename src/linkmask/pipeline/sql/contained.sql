-- Documents that hold no value of their own, beside each one linked to them that holds all of theirs.
-- Values of weight 0 do not count. Read from the whole corpus, whatever is masked.
select one.low, one.up
from (
  select low, up, low as document, up as other from {links}
  union all
  select low, up, up as document, low as other from {links}
) as one
join (
  select document, count(*) as size, min(frequency) as least
  from piece join value on value.entity = piece.entity
  where ceiling > 0
  group by document
) as own on own.document = one.document and own.least > 1
join piece as mine on mine.document = one.document
join value on value.entity = mine.entity and value.ceiling > 0
join piece as theirs on theirs.document = one.other and theirs.entity = mine.entity
group by one.low, one.up, one.document, own.size
having count(*) = own.size
