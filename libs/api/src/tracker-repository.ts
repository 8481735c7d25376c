import { Type } from '@sinclair/typebox';

/** A repository or project in the form in which connections and flows name it. */
export const TrackerRepository = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'owner/repository (GitHub), group/project (GitLab), key of a project (Jira), or key of a team (Linear).',
});
