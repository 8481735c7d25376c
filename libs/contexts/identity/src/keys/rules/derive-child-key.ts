/** Limits of a key. */
export interface KeyLimits {
  /** Permissions of the key; null if it has all of its owner's. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly runtimePrincipal: KeyBinding | null;
}

export interface KeyBinding {
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
}

export type ChildKey =
  | { readonly kind: 'allowed'; readonly limits: KeyLimits }
  | { readonly kind: 'outlives_parent'; readonly parentExpiresAt: Date }
  | { readonly kind: 'binding_differs' };

const MAKES_KEYS = 'manage_api_keys';

/**
 * Returns the limits of a key created by another key: by default the parent's; requested limits must not exceed these
 * (ACC-27). The caller must check beforehand that the parent has the requested scopes. The scope `manage_api_keys` is
 * never inherited: it must be requested explicitly.
 */
export function deriveChildKey(parent: KeyLimits, asked: KeyLimits): ChildKey {
  const scopes = asked.scopes ?? (parent.scopes ?? []).filter((scope) => scope !== MAKES_KEYS);
  if (parent.expiresAt !== null && asked.expiresAt !== null && asked.expiresAt > parent.expiresAt)
    return { kind: 'outlives_parent', parentExpiresAt: parent.expiresAt };
  const { runtimePrincipal: bound } = parent;
  const wanted = asked.runtimePrincipal;
  if (bound !== null && wanted !== null && (wanted.type !== bound.type || wanted.id !== bound.id))
    return { kind: 'binding_differs' };
  return {
    kind: 'allowed',
    limits: { scopes, expiresAt: asked.expiresAt ?? parent.expiresAt, runtimePrincipal: bound ?? wanted },
  };
}
