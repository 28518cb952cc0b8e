-- Links of the readable corpus that are links of the whole one, too.
select readable_link.low, readable_link.up, readable_link.z
from readable_link
join link on link.low = readable_link.low and link.up = readable_link.up
