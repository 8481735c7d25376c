const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });

export const formatUsd = (amount: number): string => usd.format(amount);
