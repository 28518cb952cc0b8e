-- The first shared entity of a link, or the first two where one can't reach the threshold alone.
select document, place as head, place as last, 1 as depth
from tail
where bound >= {bound}
union all
select one.document, one.place as head, two.place as last, 2 as depth
from tail as one join tail as two on two.document = one.document and two.place > one.place
where one.bound < {bound} and one.rest >= {bound} and one.bound + two.rest >= {bound}
