// The requests of the demo store: several people who asked for the same animals, in every stage. All of them are
// invented, with addresses that do not exist.

import type { OrderMove } from '@petstore-platform/contract/platform/orders'

type DemoRequest = {
  hoursAgo: number
  animal: string
  name: string
  contact: string
  message: string
  answers?: { question: string; answer: string }[]
  isConfirmed?: boolean
  notes?: readonly string[]
  /** What happened since, in this order. */
  moves?: readonly OrderMove[]
  isHeld?: boolean
}

const atHome = (answer: string) => ({ question: 'Who is at home during the day?', answer })
const garden = (answer: string) => ({ question: 'Do you have a garden or a secured balcony?', answer })

/** From the oldest to the newest. */
export const demoRequests: readonly DemoRequest[] = [
  {
    hoursAgo: 456,
    animal: 'Saffron',
    name: 'Elif Demir',
    contact: 'elif@visitor.example',
    message: 'We met Saffron at your open day, and the children have talked of nothing else since.',
    notes: ['Everyone came along on Sunday. Saffron fell asleep on the youngest.'],
    moves: ['contacted', 'approved', 'handed_over'],
  },
  {
    hoursAgo: 293,
    animal: 'Captain',
    name: 'Paul Jansen',
    contact: 'paul@visitor.example',
    message: 'I am away four days a week, but my flat is big.',
    notes: ['Explained why that is too long alone. He understood.'],
    moves: ['contacted', 'declined'],
  },
  {
    hoursAgo: 218,
    animal: 'Hansi',
    name: 'Family Brandt',
    contact: '+44 20 7946 0142',
    message: 'Our own budgie has been alone since spring. We have an aviary.',
    isConfirmed: false,
    notes: ['Saw the aviary on a video call: very good.'],
    moves: ['contacted', 'approved'],
  },
  {
    hoursAgo: 151,
    animal: 'Clover',
    name: 'Priya Nair',
    contact: 'priya@visitor.example',
    message: 'I have had rabbits all my life. Could I come and see her on Saturday?',
    answers: [garden('A garden with a fence, and a run of six square metres.'), atHome('I work from home.')],
    notes: ['Called her vet: no concerns.', 'She brings her other rabbit along.'],
    moves: ['contacted', 'visit_set'],
    isHeld: true,
  },
  {
    hoursAgo: 99,
    animal: 'Luna',
    name: 'Marek Novák',
    contact: 'marek@visitor.example',
    message: 'The balcony is secured; I can send a picture of it.',
    answers: [garden('A secured balcony.'), atHome('My wife, most days.')],
    moves: ['contacted'],
    notes: ['Waiting for the picture of the balcony.'],
  },
  {
    hoursAgo: 70,
    animal: 'Juno',
    name: 'Aisha Rahman',
    contact: 'aisha@visitor.example',
    message: 'Is Juno good with an older cat? Ours is eleven and set in her ways.',
    moves: ['contacted'],
  },
  {
    hoursAgo: 49,
    animal: 'Juno',
    name: 'Tom Okafor',
    contact: 'tom@visitor.example',
    message:
      'Hello! We have a garden, two children (8 and 11) and a lot of time. We had a border collie until last year. When could we meet Juno?',
    answers: [garden('A garden.'), atHome('One of us, always.')],
  },
  {
    hoursAgo: 27,
    animal: 'Marlow',
    name: 'Lena Fischer',
    contact: 'lena@visitor.example',
    message: 'I work from home and live next to the forest.',
  },
  {
    hoursAgo: 7,
    animal: 'Marlow',
    name: 'Noor and Kai',
    contact: '+44 20 7946 0177',
    message: 'We have a sofa that may be used.',
    isConfirmed: false,
  },
  {
    hoursAgo: 2,
    animal: 'Juno',
    name: 'Sam Lindqvist',
    contact: 'sam@visitor.example',
    message: 'My parents had dogs like her. I would love to come by.',
  },
]

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

export type PlacedRequest = {
  petId: bigint
  name: string
  contact: string
  message: string
  answers?: { question: string; answer: string }[]
  confirmedAt?: Date | undefined
}

type Seed = {
  ask: Ask
  slug: string
  /** As if a visitor had asked on the site. */
  place: (request: PlacedRequest) => Promise<bigint>
  /** As if it had been placed so long ago. */
  backdate: (order: bigint, hours: number) => Promise<void>
  now: Date
}

/** Places them as visitors, and does the rest as the owner. */
export async function seedRequests({ ask, slug, place, backdate, now }: Seed): Promise<void> {
  const project = `/projects/${slug}`
  for (const {
    hoursAgo,
    animal,
    isConfirmed = true,
    notes = [],
    moves = [],
    isHeld = false,
    ...visitor
  } of demoRequests) {
    const [found] = Object.values(await ask('GET', `${project}/animals?name=${encodeURIComponent(animal)}`))
    const { id: petId } = found as { id: number }
    const id = await place({ petId: BigInt(petId), ...visitor, confirmedAt: isConfirmed ? now : undefined })
    const order = `${project}/orders/${id}`
    for (const fact of moves) {
      const visit = { at: nextSaturday(now).toISOString(), place: '12 Willow Street, at the green gate' }
      await ask('POST', `${order}/move`, { fact, ...(fact === 'visit_set' && { visit }) })
    }
    if (isHeld) await ask('POST', `${order}/hold`, {})
    for (const text of notes) await ask('POST', `${order}/notes`, { text })
    await backdate(id, hoursAgo)
  }
}

/** At 11 o'clock, by the clock of this machine; never today. */
export function nextSaturday(now: Date): Date {
  const saturday = new Date(now)
  saturday.setDate(now.getDate() + (6 - now.getDay() || 7))
  saturday.setHours(11, 0, 0, 0)
  return saturday
}
