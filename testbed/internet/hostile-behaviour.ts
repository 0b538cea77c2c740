// Hostile answers, third part: nameservers with correct answers, but not for every client, not
// for every record type, or only to queries without EDNS. What they do answer may be believed.

import { both, honest, strange, type HostileClass, type Play, type Truth } from './hostile-class.ts'
import { asked, record, reply, types, wireName, type PacketQuestion } from './packets.ts'
import { resolvers } from './roles.ts'

const truly = (question: PacketQuestion, truth: Truth): Play => both(reply(question, honest(question, truth)))
const failing = (question: PacketQuestion, rcode: number): Play => both(reply(question, { rcode }))
const silent: Play = { udp: [], tcp: 'hang' }

/** Everything except CAA is answered. */
const withoutCaa = (about: string, play: (question: PacketQuestion) => Play): HostileClass =>
  strange(about, (question, truth) => (question.type === types.CAA ? play(question) : truly(question, truth)))

/** The second resolver is in a region with other answers. */
const isElsewhere = ({ from }: PacketQuestion): boolean => from === resolvers[1].address

export const mannerClasses: Record<string, HostileClass> = {
  'caa-servfail': withoutCaa('SERVFAIL for CAA alone.', (question) => failing(question, 2)),
  'caa-notimp': withoutCaa('NOTIMP for CAA alone.', (question) => failing(question, 4)),
  'caa-silent': withoutCaa('Silent for CAA alone.', () => silent),
  'edns-dropped': strange('Drops queries that use EDNS.', (question, truth) =>
    question.hasEdns ? silent : truly(question, truth),
  ),
  'place-refused': strange('REFUSED to one part of the world.', (question, truth) =>
    isElsewhere(question) ? failing(question, 5) : truly(question, truth),
  ),
  'place-differs': strange('Another alias for one part of the world.', (question, truth) =>
    isElsewhere(question) && !question.name.startsWith('_')
      ? both(reply(question, { answers: [record(asked, types.CNAME, wireName('elsewhere.test'))] }))
      : truly(question, truth),
  ),
}
