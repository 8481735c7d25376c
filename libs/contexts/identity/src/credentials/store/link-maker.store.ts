import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';

/** A portal link, and the user and the API key that created it. */
export interface MadeLink {
  readonly id: string;
  readonly madeByUserId: string;
  /** Undefined if a signed-in user created the link. */
  readonly madeByKeyId: string | undefined;
}

/**
 * Returns the ids of the links whose creators could still create them: the user is active and has the permission, and
 * the API key, if one was used, is valid.
 */
export async function listStandingLinks(
  db: AnyDatabase,
  links: readonly MadeLink[],
  { now, permission }: { readonly now: Date; readonly permission: string },
): Promise<ReadonlySet<string>> {
  const found = await executePrepared(
    db,
    'identity.link-makers',
    sql<{ id: string }>`
    select link.id
    from unnest(
      ${links.map(({ id }) => id)}::uuid[], ${links.map(({ madeByUserId }) => madeByUserId)}::uuid[],
      ${links.map(({ madeByKeyId }) => madeByKeyId ?? null)}::uuid[]
    ) link (id, user_id, key_id)
    join gateway.user_account person on person.id = link.user_id and person.is_active
    join gateway.role role on role.id = person.role_id and ${permission} = any(role.permissions)
    where link.key_id is null or exists (
      select from gateway.api_key key
      where key.id = link.key_id and key.revoked_at is null and (key.expires_at is null or key.expires_at > ${now})
        and not exists (
          select from gateway.api_key maker where maker.id = any(key.ancestor_ids) and maker.revoked_at is not null
        )
    )
  `,
  );
  return new Set(found.rows.map(({ id }) => id));
}
