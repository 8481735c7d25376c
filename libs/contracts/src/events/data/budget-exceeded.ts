import { budgetThreshold } from './budget-threshold.ts';

export const budgetExceeded = {
  schema: budgetThreshold.schema,
  example: {
    ...budgetThreshold.example,
    spent_amount: 50.4,
    percent_used: 100.8,
    threshold_percent: 100,
  },
};
