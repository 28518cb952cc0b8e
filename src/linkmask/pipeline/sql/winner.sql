-- Every unmet chain votes for what helps most chains; what wins enough of its help is masked.
select score.place % {high} as entity
from (
  select help.chain, min(turn) as turn
  from help join score on score.place = help.place
  group by help.chain
) as vote
join score on score.turn = vote.turn
join help on help.chain = vote.chain and help.place = score.place
group by score.place, score
having sum(help) >= {share} * score
