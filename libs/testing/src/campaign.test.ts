import { FULL_CAMPAIGNS, isTriedToday, seedCampaign, sizeCampaign } from './campaign.ts';

describe('a campaign of attacks', () => {
  const { [FULL_CAMPAIGNS]: full, CAMPAIGN_SEED: seed } = process.env;
  const restore = (name: string, value: string | undefined): void => {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  };
  beforeEach(() => {
    restore(FULL_CAMPAIGNS, undefined);
    restore('CAMPAIGN_SEED', undefined);
  });
  afterEach(() => {
    restore(FULL_CAMPAIGNS, full);
    restore('CAMPAIGN_SEED', seed);
  });

  it('has its daily size, or its full size in a run with --full', () => {
    expect(sizeCampaign({ daily: 2, full: 20 })).toBe(2);
    process.env[FULL_CAMPAIGNS] = 'true';
    expect(sizeCampaign({ daily: 2, full: 20 })).toBe(20);
  });

  it('generates the same cases throughout a day, different ones on the next day, and those of a given day again on request', () => {
    expect(seedCampaign(new Date('2026-11-28T00:00:00Z'))).toBe(20_261_128);
    expect(seedCampaign(new Date('2026-11-28T23:59:59Z'))).toBe(20_261_128);
    expect(seedCampaign(new Date('2026-11-29T00:00:00Z'))).toBe(20_261_129);
    process.env['CAMPAIGN_SEED'] = '20261121';
    expect(seedCampaign()).toBe(20_261_121);
  });

  it('tests a different share of its cases each day, so that all are tested after as many days, and all of them in a run with --full', () => {
    const listTried = (day: number) =>
      [0, 1, 2, 3, 4].filter((each) => isTriedToday(each, 3, new Date(2026, 1, day, 12)));
    const days = [27, 28, 29].map(listTried);
    expect(days.flat().toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(listTried(30)).toEqual(days[0]);
    process.env[FULL_CAMPAIGNS] = 'true';
    expect(listTried(27)).toEqual([0, 1, 2, 3, 4]);
  });
});
