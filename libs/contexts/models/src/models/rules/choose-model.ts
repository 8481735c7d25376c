import { familyOf, type ModelFamily, type ModelProvider } from '../provider.ts';

/** Name with which a call requests the account's default model, unless a model has this name as its alias. */
export const DEFAULT_MODEL_NAME = 'default';

export interface NamedModel {
  readonly id: string;
  readonly alias: string;
  readonly modelIdentifier: string;
  readonly provider: ModelProvider;
  readonly isDefault: boolean;
  readonly isEnabled: boolean;
}

export type ModelChoice<Model> =
  | { readonly kind: 'found'; readonly model: Model }
  | { readonly kind: 'not_found' }
  /** The model exists, but only routes for the other family can call it. */
  | { readonly kind: 'other_provider'; readonly provider: ModelProvider }
  | { readonly kind: 'disabled' }
  /** Several models have this identifier, so one of their aliases must be used. */
  | { readonly kind: 'ambiguous'; readonly aliases: readonly string[] };

/**
 * Finds the model to which a client's request refers (MOD-20). An alias takes precedence, then a model's id, then
 * `default`, then an identifier that exactly one enabled model of the family has.
 */
export function chooseModel<Model extends NamedModel>(
  models: readonly Model[],
  { name, family }: { readonly name: string; readonly family: ModelFamily },
): ModelChoice<Model> {
  const named =
    models.find(({ alias }) => alias === name) ??
    models.find(({ id }) => id === name) ??
    models.find(({ isDefault }) => isDefault && name === DEFAULT_MODEL_NAME);
  if (named !== undefined) return judge(named, family);
  const identified = models.filter(({ modelIdentifier }) => modelIdentifier === name);
  const callable = identified.filter((model) => judge(model, family).kind === 'found');
  if (callable.length > 1) return { kind: 'ambiguous', aliases: callable.map(({ alias }) => alias).sort() };
  const best = callable[0] ?? identified.find(({ isEnabled }) => isEnabled) ?? identified[0];
  return best === undefined ? { kind: 'not_found' } : judge(best, family);
}

function judge<Model extends NamedModel>(model: Model, family: ModelFamily): ModelChoice<Model> {
  if (!model.isEnabled) return { kind: 'disabled' };
  const { provider } = model;
  return familyOf(provider) === family ? { kind: 'found', model } : { kind: 'other_provider', provider };
}
