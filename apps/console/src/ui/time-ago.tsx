const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
/** Time difference from now above which the date and time are shown instead of the number of days. */
const A_WEEK_SECONDS = 7 * 86_400;

/**
 * A relative time, or the date and time if it is more than a week away. The exact time in UTC is shown on hover, and is
 * part of the markup.
 */
export function TimeAgo({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {describeTime(new Date(at), new Date())}
    </time>
  );
}

export function describeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) > A_WEEK_SECONDS) return absolute.format(at);
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  return unit === 'second'
    ? seconds > 5
      ? 'in a moment'
      : 'just now'
    : relative.format(Math.trunc(seconds / size), unit);
}
