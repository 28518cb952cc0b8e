-- What a document holds: share is c(e, d); place orders entities from rare to frequent, then by number.
select document, held.entity, frequency * {high} + held.entity as place,
       relevance * ceiling as share, most
from held join value on value.entity = held.entity
