/** Returns the local day of an RFC 3339 time, for a date field. */
export function toDay(moment: string | undefined): string | undefined {
  if (moment === undefined) return undefined;
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return undefined;
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the first moment of a local day. */
export function toMoment(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}
