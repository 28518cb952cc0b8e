-- What some documents hold, document after document.
select document, entity, share
from piece
where document >= {first} and document < {last}
order by document, entity
