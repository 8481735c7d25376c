import { Link } from '@tanstack/react-router';

/** Address parameters of a list. */
export type ListParams = Readonly<Record<string, string | undefined>>;

interface Props {
  /** Start of the next page; null if there is none. */
  readonly cursor: string | null;
  /** Additional address parameters; default: those of the current address. */
  readonly params?: ListParams | undefined;
  readonly className?: string | undefined;
}

/** A link to the next page of the list at this address. */
export function NextPage({ cursor, params, className }: Props) {
  if (cursor === null) return null;
  return (
    <Link to="." search={(former: ListParams) => ({ ...(params ?? former), cursor })} className={className} rel="next">
      Next page
    </Link>
  );
}
