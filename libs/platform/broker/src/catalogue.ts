import type { MessageContract } from '@steward/contracts';

/**
 * A contract with a payload of any type. The parameter of `messageId` has the type `never`, because a function for one
 * payload cannot accept all payloads.
 */
export type AnyContract = Omit<MessageContract, 'messageId' | 'schema'> & {
  readonly schema: object;
  readonly messageId: (payload: never) => string;
};

/** Contracts of messages by name, like `MESSAGES` of @steward/contracts. */
export type Catalogue = Readonly<Record<string, AnyContract>>;

export type NameOf<C extends Catalogue> = keyof C & string;
export type PayloadOf<C extends Catalogue, Name extends NameOf<C>> = Parameters<C[Name]['messageId']>[0];
