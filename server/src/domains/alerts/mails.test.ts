import { expect, test } from 'vitest'
import { domainMails, type DomainsFacts } from './mails.ts'

const FROM = new Date('2027-06-01T00:00:00Z')

const factsOf = (count: number): DomainsFacts => ({
  language: 'en',
  project: 'Happy Paws',
  projectUrl: 'https://petstore.example/projects/happy-paws',
  domains: Array.from({ length: count }, () => ({
    hostname: 'www.happy-paws.example',
    name: 'www.happy-paws.example',
    records: [{ name: 'www', type: 'A', value: '203.0.113.10' }],
    validUntil: new Date('2027-05-03T00:00:00Z'),
  })),
})

test.each([
  [
    'Action required: www.happy-paws.example',
    domainMails.domain_alert({ ...factsOf(1), isOwners: true, canTurnOff: true }),
  ],
  ['www.happy-paws.example is down', domainMails.domain_alert({ ...factsOf(1), isOwners: false, canTurnOff: false })],
  ['www.happy-paws.example is not live yet', domainMails.domain_reminder({ ...factsOf(1), canTurnOff: false })],
  ['www.happy-paws.example is live', domainMails.domain_live(factsOf(1))],
  ['www.happy-paws.example works again', domainMails.domain_restored(factsOf(1))],
  ['The certificate of www.happy-paws.example expires on 3 May', domainMails.renewal_failing(factsOf(1))],
  ['www.happy-paws.example was moved to another project', domainMails.domain_moved(factsOf(1))],
  ['Change one DNS record before 1 June', domainMails.edge_addresses_change({ ...factsOf(1), from: FROM })],
  ['Change two DNS records before 1 June', domainMails.edge_addresses_change({ ...factsOf(2), from: FROM })],
])('%s', (subject, mail) => {
  expect(mail.subject).toBe(subject)
})
