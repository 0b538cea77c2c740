// Every experiment: what it measures and proves, its size in CI, and its options. Each is a folder
// of the same name with a program, main.ts.

import {
  CEPH,
  experiment,
  flag,
  TEST_INTERNET,
  TEST_INTERNET_AND_AUTHORITY,
  TEST_INTERNET_AND_EDGES,
  value,
} from './description.ts'

export const experiments = {
  abuse: experiment({
    head: 'How much longer an owner waits for a certificate while another project retries thousands of broken domains',
    proves:
      'No good domain waits more than 60 s longer than on a quiet system; at most four authorizations per domain and hour fail; at most 80 % of the orders that the authority grants are used.',
    inCi: { by: 'e2e/timing/abuse.test.ts', size: '200 broken domains, 3 good ones' },
    needs: TEST_INTERNET_AND_EDGES,
    options: {
      domains: value('N', 'broken domains of the noisy project', '5000'),
      good: value('N', 'domains that go live, once in quiet and once under load', '15'),
      every: value('SECONDS', 'time between two of them', '3'),
      silent: value('SHARE', 'part of the broken domains whose nameservers never answer', '0'),
      forgetful: flag('negative control: used orders and failures are forgotten; must fail'),
    },
  }),
  causes: experiment({
    head: 'Which causes of trouble are recognised, each produced on real nameservers',
    proves: 'At least 98 % of the fixtures have their root cause named first, and none is reported as unknown.',
    inCi: { by: 'e2e/causes.test.ts', size: 'every fixture' },
    needs: TEST_INTERNET,
    options: {
      only: value('TOPICS', 'topics of the corpus, separated by commas (default: all)'),
      write: flag('write docs/domain-causes.md and testbed/zones/advice.txt'),
      check: flag('fail if either file differs from what would be written'),
      verbose: flag('print every result, on stderr if --json is given'),
    },
  }),
  faults: experiment({
    head: 'Every known fault of a certificate authority, injected while a domain waits for its certificate',
    proves:
      'The owner is shown the right cause, the requested wait is kept, nothing bad is stored, and the domain goes live once the fault is over.',
    inCi: { by: 'e2e/timing/faults.test.ts', size: 'every fault' },
    needs: TEST_INTERNET_AND_EDGES,
    options: {
      only: value('PART', 'faults whose name contains this (default: all)'),
      write: flag('write docs/certificate-troubles.md'),
      check: flag('fail if that file differs from what would be written'),
    },
  }),
  fuzz: experiment({
    head: 'Requests generated from the OpenAPI documents, valid, invalid and hostile',
    proves: 'No request causes a 5xx, and every response matches the OpenAPI document.',
    inCi: {
      by: 'e2e/fuzz.test.ts',
      size: '4,000 requests at /v1 and 2,000 at /platform/v1, the same every time',
    },
    options: {
      requests: value('N', 'requests at /v1', '50000'),
      platform: value('N', 'send this many requests to /platform/v1 instead'),
      seed: value('N', 'repeat a run (default: random)'),
      url: value(
        'URL',
        'a service that runs already, with quotas out of reach; it gets animals added (default: one of its own)',
      ),
      key: value('KEY', 'API key for --url'),
      control: flag('negative control: a broken server, every fault of which must be found'),
    },
  }),
  'go-live': experiment({
    head: 'Time from corrected DNS until a visitor is served over HTTPS',
    proves:
      'Half of the domains are live within 3 s and 95 % within 10 s, with real nameservers, authority, edges and Caddy.',
    inCi: { by: 'e2e/timing/go-live.test.ts', size: '8 domains' },
    needs: TEST_INTERNET_AND_EDGES,
    options: {
      domains: value('N', 'domains, at most about a hundred: an authority with usual limits grants no more', '50'),
      edges: value('N', 'edges', '2'),
      spacing: value('MS', 'mean time between two corrections', '1000'),
      pause: value('MS', 'time between two polls of the worker', '100'),
      'at-once': flag('correct all domains at the same instant'),
      nuisances: flag('an authority that validates slowly, rejects half of the nonces and reuses authorizations'),
    },
  }),
  hostile: experiment({
    head: 'Domain checks against hostile nameservers',
    proves:
      'No answer crashes the process, takes more than 5 s, verifies a domain falsely, is shown unescaped, reaches a reserved address, or takes too much memory or event-loop time.',
    inCi: { by: 'e2e/hostile.test.ts', size: '60 classes of answers, 10 mutations each' },
    needs: TEST_INTERNET,
    options: {
      mutations: value('N', 'mutations of each class', '1000'),
      classes: value('N', 'draw this many classes (default: all)'),
      only: value('CLASSES', 'these classes, separated by commas'),
      seed: value('N', 'repeat a run (default: random)'),
      'at-once': value('N', 'checks in parallel', '64'),
      control: flag('negative control: break each promise on purpose; every one must be noticed'),
    },
  }),
  import: experiment({
    head: 'Speed and memory of a large CSV import',
    proves:
      'Every animal is added, progress is visible, and neither the service nor the worker grows by more than 150 MB.',
    inCi: { by: 'e2e/timing/import.test.ts', size: '50,000 animals' },
    options: {
      animals: value('N', 'rows of the file', '1000000'),
    },
  }),
  'issuance-kill': experiment({
    head: 'Workers killed with SIGKILL at every step of issuing a certificate, and at random',
    proves:
      'The certificate is issued, with at most two orders and never two open at once, and no certificate of an earlier owner is stored.',
    inCi: { by: 'server/test/certificates/kill.test.ts', size: 'every step, then 15 domains for 3 s' },
    needs: TEST_INTERNET_AND_AUTHORITY,
    options: {
      domains: value('N', 'domains while workers are killed at random', '200'),
      seconds: value('S', 'duration of that part; 0 leaves it out', '300'),
      sabotage: value('HOW', 'negative control: forgetful or unfenced workers; must fail'),
    },
  }),
  'mail-kill': experiment({
    head: 'Workers that send mail, killed with SIGKILL at random',
    proves:
      'No mail is lost, and a kill repeats at most the mails that the worker was sending, with the same Message-ID.',
    inCi: { by: 'server/test/mail/kill.test.ts', size: '200 mails, 6 kills' },
    options: {
      mails: value('N', 'mails', '10000'),
      kills: value('N', 'kills', '200'),
      workers: value('N', 'processes that send', '4'),
      forgetful: flag('negative control: a mail counts as sent before it is; must fail'),
    },
  }),
  'mail-latency': experiment({
    head: 'How long urgent mails, and mails about requests of visitors, take to the relay while other mails are waiting',
    proves:
      'At the default rate, 99 of 100 urgent mails are at the relay within 2 s, and 95 of 100 about a request within 5 s of its commit.',
    inCi: { by: 'e2e/timing/mail.test.ts', size: '20 urgent mails beside 2,000 others, 20 requests beside 1,000' },
    options: {
      waiting: value('N', 'other mails that wait', '10000'),
      mails: value('N', 'mails of each kind, one after the other', '200'),
      'in-turn': flag('negative control: they wait in turn; must fail'),
    },
  }),
  names: experiment({
    head: 'Generated hostnames, valid and invalid, through the hostname parser',
    proves: 'No hostname is accepted that must be rejected, and parsing an accepted one again changes nothing.',
    inCi: { by: 'tools/ci.ts', size: '100,000 names' },
    options: {
      count: value('N', 'names', '1000000'),
      seed: value('N', 'repeat a run (default: random)'),
    },
  }),
  'ownership-model': experiment({
    head: 'Every order of events of the ownership model, by the model checker Spin',
    proves:
      'At most one project serves a domain whatever the order of events, and each bug seeded into the model is found.',
    inCi: { by: 'tools/ci.ts', size: 'everything but --full' },
    needs: 'spin, gcc',
    options: {
      full: flag('let DNS change three times instead of two; takes minutes'),
    },
  }),
  'ownership-walk': experiment({
    head: 'Random walks over domain ownership, the real SQL next to a reference model',
    proves: 'After every step the database holds what the reference holds.',
    inCi: { by: 'server/test/domains/model.test.ts', size: '2,000 steps' },
    options: {
      steps: value('N', 'steps, shared by the walks', '100000'),
      seed: value('N', 'seed of the first walk', '1'),
      walks: value('N', 'walks in parallel', '4'),
    },
  }),
  'photo-hostile': experiment({
    head: 'Hostile pictures as photos: bombs, truncated files, false formats, broken metadata',
    proves:
      'None crashes the worker, is accepted wrongly, or stays over 512 MB for more than 200 ms; each attempt ends within 20 s, and the worker grows by at most 100 MB.',
    inCi: { by: 'server/test/photos/hostile.test.ts', size: '66 pictures' },
    options: {
      images: value('N', 'pictures', '400'),
      seed: value('N', 'seed of the random ones', '1'),
      unlimited: flag('negative control: no header, no limits; must fail'),
      verbose: flag('print every result on stderr'),
    },
  }),
  'photo-restore': experiment({
    head: 'A database that is restored from a backup of some days ago, next to a bucket of today',
    proves: 'Every photo of the backup has all of its files, although half of them were deleted since.',
    inCi: { by: 'server/test/photos/s3.test.ts', size: '6 photos, 6 days' },
    needs: CEPH,
    options: {
      photos: value('N', 'photos at the time of the backup', '200'),
      days: value('N', 'days since then, at most 6', '6'),
      immediate: flag('negative control: files are removed at once; must fail'),
    },
  }),
  removal: experiment({
    head: 'Time until a removed domain is no longer served: to new connections, open ones and resumed TLS sessions',
    proves: 'No request that begins after the response to Remove is served, at any edge.',
    inCi: { by: 'e2e/timing/go-live.test.ts', size: '10 removals at 2 edges' },
    needs: TEST_INTERNET_AND_EDGES,
    options: {
      removals: value('N', 'removals', '200'),
      edges: value('N', 'edges', '3'),
      sabotage: flag('negative control: one edge receives no removals; must fail'),
    },
  }),
  renewal: experiment({
    head: 'Years of certificate renewals on a virtual clock, with an authority that is down for days',
    proves: 'No certificate expires, and in no three hours is more than 80 % of the granted orders used.',
    inCi: { by: 'testbed/experiments/renewal/main.test.ts', size: '200 domains, 1 year' },
    options: {
      domains: value('N', 'domains', '10000'),
      years: value('N', 'simulated years', '5'),
      seed: value('N', 'repeat a run (default: random)'),
      control: value('HOW', 'negative control: last-day or no-reserve; must fail', 'none'),
    },
  }),
  'request-steps': experiment({
    head: 'Random steps of visitors, members and the clock on a few animals and their requests',
    proves:
      'No two requests hold one animal, no sold animal has an open request, and every cell of the transition table is reached.',
    inCi: { by: 'testbed/experiments/request-steps/main.test.ts', size: '20,000 steps' },
    options: {
      steps: value('N', 'steps', '1000000'),
      seed: value('N', 'seed of the random numbers', '1'),
      broken: flag('negative control: a hold ignores the other requests; must fail'),
    },
  }),
  reservations: experiment({
    head: 'Many visitors ask for the same animal at once, over four processes',
    proves: 'As many requests are accepted as the queue has places, and at most one holds the animal, by the rule.',
    inCi: { by: 'e2e/reservation.test.ts', size: '6 rounds of 50 visitors for each of two rules' },
    options: {
      rounds: value('N', 'rounds', '50'),
      concurrent: value('N', 'visitors in each', '50'),
      rule: value('RULE', 'by_hand, on_approval, on_visit or on_first_request', 'on_first_request'),
      broken: flag('negative control: no lock, transaction or unique index; must fail'),
    },
  }),
  revocation: experiment({
    head: 'Time for which a revoked key, session or token is still accepted by any of three processes',
    proves: 'At most one second, even if notifications are off or lost; credentials cached for longer are detected.',
    inCi: { by: 'e2e/timing/revocation.test.ts', size: '3 rounds' },
    options: {
      rounds: value('N', 'rounds of each variant', '10'),
    },
  }),
  sweeper: experiment({
    head: 'Scheduling of domain checks: cost of claiming, killed workers, workers stopped beyond their lease',
    proves:
      'At least 500 claims a second succeed among a million timers, with 64,000 claimed, and with 34,000 of 40,000 due at once; every due domain is checked and none twice at once; a worker without a claim writes nothing.',
    inCi: { by: 'e2e/timing/domains.test.ts, e2e/sweeper.test.ts', size: '200,000 timers, 60 domains for 10 s' },
    options: {
      seconds: value('N', 'duration of the killing', '180'),
      timers: value('N', 'timers in the large table', '1000000'),
      claimed: value('N', 'timers that are claimed, of twice as many, while further ones are', '64000'),
      domains: value('N', 'domains while workers are killed', '200'),
      broken: flag('negative control: no index, no limit, no lease, no fencing token; must fail'),
    },
  }),
  takedown: experiment({
    head: 'A project is suspended by the command while three processes and two edges serve it',
    proves:
      'A second later nothing of it succeeds, also after a deployment; it is resumed; a change of the row alone is detected.',
    inCi: { by: 'e2e/timing/takedown.test.ts', size: 'one round' },
    options: {
      rounds: value('N', 'rounds', '5'),
    },
  }),
  'verify-race': experiment({
    head: 'Two projects choose Verify for the same domain at once, over three processes',
    proves:
      'Exactly one project gets the domain, it is taken exactly once, and every other call is answered with the reason.',
    inCi: { by: 'e2e/verify-race.test.ts', size: '10 rounds of 50 calls' },
    options: {
      rounds: value('N', 'rounds', '200'),
      concurrent: value('N', 'calls in each', '50'),
      broken: flag('negative control: the row is not locked; must fail'),
    },
  }),
  'verify-times': experiment({
    head: 'Response time of Verify over the whole corpus, and time until a corrected record is seen on an open page',
    proves:
      'Verify answers within 3 s at the 95th percentile, dead nameservers included; a corrected domain is verified within 5 s at the median.',
    inCi: { by: 'e2e/timing/domains.test.ts', size: 'the whole corpus; 20 corrected domains' },
    needs: TEST_INTERNET,
    options: {
      domains: value('N', 'corrected domains', '24'),
      control: flag('negative control: no time budget, and no open page; must fail'),
    },
  }),
}
