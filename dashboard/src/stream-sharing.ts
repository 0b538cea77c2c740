// Decides how the tabs of a browser share one event stream, without a clock and without I/O. One tab leads: it opens a
// stream with the topics of all tabs, and passes on what it carries.
// - Only tabs in front take part. A hidden tab may be frozen; it gives up the lead, and renews when it returns.
// - A page learns whether its topic is carried, and whether it may have missed something; otherwise it polls.
// - Tabs of two versions of the dashboard may be open: a change of the messages needs another `SHARED_NAME`.

export const SHARED_NAME = 'petstore-events-1'
/** As many as the server accepts. */
export const TOPICS_MAX = 16
/** Tabs that start together, and a page that replaces another, cause one stream. */
export const SETTLE_MS = 100

/** An event of the stream, decoded. */
export type TopicEvent = { name: string; data: { topic: string } }

export type TabMessage =
  /** What a tab watches: nothing when it is hidden or closed. */
  | { kind: 'topics'; tab: string; topics: readonly string[] }
  /** From a new leader: every tab repeats its topics. */
  | { kind: 'leads' }
  /** What the stream of this leader carries. `isFresh`: it has just been opened. */
  | { kind: 'carries'; leader: string; topics: readonly string[]; isFresh: boolean }
  /** The leader's stream could not be opened, or broke off. */
  | { kind: 'interrupted' }
  | { kind: 'event'; event: TopicEvent }
  /** Another person may have signed in, or this one has signed out. */
  | { kind: 'account' }

export type TopicReport =
  /** Events of the topic are received from now on. */
  | { kind: 'open'; hasMissed: boolean }
  /** They are no longer, or the stream was refused again. */
  | { kind: 'lost' }
  /** They are not, until the tab is in front again. */
  | { kind: 'away' }
  | { kind: 'event'; event: TopicEvent }

export type SharingEffects = {
  /** To all other tabs. */
  send(message: TabMessage): void
  /** Asks for the lead; `lead()` follows when no other tab has it. */
  contend(): void
  /** Gives up the lead, or no longer waits for it. */
  resign(): void
  /** Replaces the stream; without topics there is none. */
  open(topics: readonly string[]): void
  /** Calls `wake()` after this time, and no longer at an earlier one that was set before. */
  wakeIn(ms: number): void
  report(topic: string, report: TopicReport): void
}

export class StreamSharing {
  readonly #tab: string
  readonly #effects: SharingEffects
  #wanted: readonly string[] = []
  #isPresent = false
  #isContending = false
  /** The topics that are received, each with the leader whose stream carries it. */
  readonly #heard = new Map<string, string>()
  readonly #missed = new Set<string>()

  // Of the leader.
  #terms = 0
  #isLeader = false
  #timer: 'none' | 'settling' | 'waiting' = 'none'
  readonly #others = new Map<string, readonly string[]>()
  /** Which the server has ended, and some tab still watches. */
  #ended: ReadonlySet<string> = new Set()
  #opening: readonly string[] = []
  #carried: readonly string[] = []

  constructor(tab: string, effects: SharingEffects) {
    this.#tab = tab
    this.#effects = effects
  }

  /** What the pages of this tab watch. */
  watch(topics: readonly string[]): void {
    this.#wanted = topics
    for (const known of [this.#heard, this.#missed])
      for (const topic of known.keys()) if (!topics.includes(topic)) known.delete(topic)
    if (this.#isPresent) this.#takePart()
  }

  /** Whether the tab is in front. */
  setPresent(isPresent: boolean): void {
    if (isPresent === this.#isPresent) return
    this.#isPresent = isPresent
    if (!isPresent) {
      this.#heard.clear()
      for (const topic of this.#wanted) {
        this.#missed.add(topic)
        this.#effects.report(topic, { kind: 'away' })
      }
    }
    this.#takePart()
  }

  /** No other tab leads. */
  lead(): void {
    this.#isLeader = true
    this.#terms += 1
    this.#effects.send({ kind: 'leads' })
    this.#settle()
  }

  /** The time is over, or the server is reachable again. */
  wake(): void {
    this.#timer = 'none'
    if (!this.#isLeader) return
    const all = [this.#needs, ...this.#others.values()]
    this.#ended = new Set(all.flat().filter((topic) => this.#ended.has(topic)))
    const topics = topicsToCarry(all, this.#ended)
    if (isSameSet(topics, this.#opening)) return
    this.#opening = topics
    this.#effects.open(topics)
    if (topics.length === 0) this.#carried = []
  }

  /** The stream with the topics of the last `open` is there. */
  opened(): void {
    this.#carried = this.#opening
    this.#broadcast(this.#carries(true))
  }

  /** It broke off or was refused, and may be opened again after this time. */
  interrupted(waitMs: number): void {
    this.#opening = []
    this.#carried = []
    this.#timer = 'waiting'
    this.#effects.wakeIn(waitMs)
    this.#broadcast({ kind: 'interrupted' })
  }

  received(event: TopicEvent): void {
    const { topic } = event.data
    this.#broadcast({ kind: 'event', event })
    if (event.name !== 'ended') return
    this.#ended = new Set([...this.#ended, topic])
    this.#opening = this.#opening.filter((one) => one !== topic)
    this.#carried = this.#carried.filter((one) => one !== topic)
    if (this.#opening.length === 0) this.#effects.open([])
  }

  hear(message: TabMessage): void {
    if (message.kind === 'topics') this.#note(message.tab, message.topics)
    else if (message.kind === 'account') this.#startOver()
    else if (message.kind !== 'leads') this.#apply(message)
    else if (this.#needs.length > 0) this.#sendTopics()
  }

  /** The person has signed in or out, in this tab. */
  changeAccount(): void {
    this.#effects.send({ kind: 'account' })
    this.#startOver()
  }

  get #needs(): readonly string[] {
    return this.#isPresent ? this.#wanted : []
  }

  #takePart(): void {
    const isNeeded = this.#needs.length > 0
    if (isNeeded || this.#isContending) this.#sendTopics()
    if (isNeeded && !this.#isContending) this.#effects.contend()
    if (!isNeeded && this.#isContending) this.#resign()
    this.#isContending = isNeeded
    if (!this.#isLeader) return
    this.#settle()
    // Another tab may watch the same.
    this.#apply(this.#carries(false))
  }

  #resign(): void {
    if (this.#isLeader) this.#effects.open([])
    this.#isLeader = false
    this.#timer = 'none'
    this.#others.clear()
    this.#ended = new Set()
    this.#opening = []
    this.#carried = []
    this.#effects.resign()
  }

  /** Changes do not shorten the time that the server asked for. */
  #settle(): void {
    if (this.#timer !== 'none') return
    this.#timer = 'settling'
    this.#effects.wakeIn(SETTLE_MS)
  }

  #note(tab: string, topics: readonly string[]): void {
    if (!this.#isLeader) return
    if (topics.length > 0) this.#others.set(tab, topics)
    else this.#others.delete(tab)
    this.#settle()
    if (topics.length > 0) this.#effects.send(this.#carries(false))
  }

  /** Whose rights the stream has is decided when it opens. */
  #startOver(): void {
    if (!this.#isLeader) return
    this.#ended = new Set()
    this.#effects.open([])
    this.interrupted(SETTLE_MS)
  }

  #sendTopics(): void {
    this.#effects.send({ kind: 'topics', tab: this.#tab, topics: this.#needs })
  }

  #carries(isFresh: boolean): Reported {
    return { kind: 'carries', leader: `${this.#tab} ${this.#terms}`, topics: this.#carried, isFresh }
  }

  #broadcast(message: Reported): void {
    this.#effects.send(message)
    this.#apply(message)
  }

  #apply(message: Reported): void {
    if (message.kind === 'event') return this.#pass(message.event)
    if (message.kind === 'interrupted') {
      for (const topic of this.#needs) this.#lose(topic)
      return
    }
    for (const topic of this.#needs) {
      const heardFrom = this.#heard.get(topic)
      if (!message.topics.includes(topic)) {
        // A new leader whose stream is not open yet cannot say that the topic is lost.
        if (heardFrom !== undefined && message.isFresh) this.#lose(topic)
      } else if (heardFrom !== message.leader) {
        // A stream repeats the last seconds when it opens; one that was open before the page asked does not.
        const hasMissed = heardFrom !== undefined || this.#missed.has(topic) || !message.isFresh
        this.#heard.set(topic, message.leader)
        this.#missed.delete(topic)
        this.#effects.report(topic, { kind: 'open', hasMissed })
      }
    }
  }

  #pass(event: TopicEvent): void {
    const { topic } = event.data
    if (!this.#needs.includes(topic)) return
    if (event.name === 'ended') this.#heard.delete(topic)
    this.#effects.report(topic, { kind: 'event', event })
  }

  #lose(topic: string): void {
    if (this.#heard.delete(topic)) this.#missed.add(topic)
    this.#effects.report(topic, { kind: 'lost' })
  }
}

type Reported = Extract<TabMessage, { kind: 'carries' | 'interrupted' | 'event' }>

/** The first topic of every tab comes before the second of any, so that no tab takes all places. */
export function topicsToCarry(
  topicsOfTabs: readonly (readonly string[])[],
  ended: ReadonlySet<string>,
): readonly string[] {
  const longest = Math.max(0, ...topicsOfTabs.map(({ length }) => length))
  const ranks = Array.from({ length: longest }, (_, rank) => topicsOfTabs.flatMap((topics) => topics[rank] ?? []))
  return [...new Set(ranks.flat())].filter((topic) => !ended.has(topic)).slice(0, TOPICS_MAX)
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((topic) => other.includes(topic))
