import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { toStorableText } from '@steward/text';
import { isFrameOrigin, MAX_FRAME_ORIGINS, MAX_GROUP_LENGTH } from '@steward/webhooks';

const time = (description: string) => Type.String({ format: 'date-time', description });

export const PortalLinkParams = Type.Object({
  portal_link_id: Type.String({ format: 'uuid', description: 'The portal link.' }),
});

const fields = {
  group: Type.String({
    minLength: 1,
    maxLength: MAX_GROUP_LENGTH,
    description: 'Group of endpoints that the holder of the link sees and manages.',
  }),
  event_types: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 100,
    description: 'Event types to which the endpoints of the portal may subscribe. See the catalog.',
  }),
};

const frameOrigins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: MAX_FRAME_ORIGINS,
  description:
    'Origins of the pages that may contain the portal in a frame, for example `https://app.example.com`. Empty: no page may.',
});

export const CreatePortalLinkBody = Type.Object(
  { ...fields, frame_origins: Type.Optional(frameOrigins) },
  { additionalProperties: false },
);

const answered = {
  id: Type.String({ format: 'uuid', description: 'The portal link.' }),
  ...fields,
  frame_origins: frameOrigins,
  created_at: time('When it was created.'),
  expires_at: time('When it ends.'),
};

export const PortalLinkAnswer = Type.Object(answered);

export const CreatedPortalLinkAnswer = Type.Object({
  ...answered,
  url: Type.String({
    description: 'URL of the portal. The fragment of the URL is the token: anyone who has the URL can use the portal.',
  }),
  token: Type.String({
    description: 'Token with which the portal calls the API. It is returned only in this response.',
  }),
});

/** Returns the name of a group without surrounding spaces. @throws invalid_request if it is empty */
export function readGroup<Name extends string | null | undefined>(name: Name): Name | string {
  if (name === undefined || name === null) return name;
  const group = toStorableText(name).trim();
  if (group !== '') return group;
  throw new AppError('invalid_request', {
    message: 'The name of the group must not be empty.',
    detail: { field: 'group' },
  });
}

/**
 * Returns the origins without duplicates. @throws invalid_request for an origin that is not written as browsers
 * serialize it, or that may not contain the portal in a frame (`isFrameOrigin`)
 */
export function requireFrameOrigins(origins: readonly string[]): string[] {
  const refused = origins.find((origin) => !isFrameOrigin(origin));
  if (refused === undefined) return [...new Set(origins)];
  throw new AppError('invalid_request', {
    message:
      'Each origin has the form https://app.example.com, in lower case, without path, wildcard or default port; http is accepted only for localhost.',
    detail: { field: 'frame_origins' },
  });
}
