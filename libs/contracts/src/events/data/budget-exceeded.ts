import { budgetThresholdExample, type Budget } from './budget-threshold.ts';

export const budgetExceededExample: Budget = {
  ...budgetThresholdExample,
  spent_amount: 50.4,
  percent_used: 100.8,
  threshold_percent: 100,
};
