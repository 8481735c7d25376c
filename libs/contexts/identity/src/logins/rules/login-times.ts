const DAY_MS = 86_400_000;

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

export function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}
