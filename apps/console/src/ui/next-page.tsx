import { Link } from '@tanstack/react-router';

/** What an address says of a list. */
export type ListParams = Readonly<Record<string, string | undefined>>;

interface Props {
  /** Where it begins; null where nothing follows. */
  readonly cursor: string | null;
  /** What its address says besides; what this one says unless set. */
  readonly params?: ListParams | undefined;
  readonly className?: string | undefined;
}

/** Leads on to the next page of the list that this address is about. */
export function NextPage({ cursor, params, className }: Props) {
  if (cursor === null) return null;
  return (
    <Link to="." search={(former: ListParams) => ({ ...(params ?? former), cursor })} className={className} rel="next">
      Next page
    </Link>
  );
}
