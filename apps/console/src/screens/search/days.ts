/** The day of this place that an RFC 3339 time lies in, as a date field wants it. */
export function toDay(moment: string | undefined): string | undefined {
  if (moment === undefined) return undefined;
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return undefined;
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** The first moment of a day of this place. */
export function toMoment(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}
