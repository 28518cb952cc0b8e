-- Signatures whose documents make more pairs than the budget: they are not compared.
select head, last, count(*) * (count(*) - 1) / 2 as pairs
from signature
group by head, last
having count(*) * (count(*) - 1) / 2 > {budget}
