-- Risk of each document that holds something readable: noisy-or of the shares.
select document, {risk:sum({z:share})} as risk
from {pieces}
group by document
