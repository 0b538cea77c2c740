// A browser in memory: its lock, its channel, its timers and a server that accepts streams.

import * as contract from '@petstore-platform/contract/platform/watching'
import { describe, expect, test } from 'vitest'
import { SETTLE_MS, StreamSharing, TOPICS_MAX, topicsToCarry, type TabMessage } from './stream-sharing.ts'

type Timer = { at: number; wake: () => void }

function openBrowser({ isShared = true } = {}) {
  const tabs = new Map<string, StreamSharing>()
  const streams = new Map<string, readonly string[]>()
  const timers = new Map<string, Timer>()
  const opens: string[] = []
  const messages: TabMessage[] = []
  let contenders: string[] = []
  let now = 0
  let isRefusing = false

  const give = () => contenders[0]
  const letLead = (before: string | undefined) => {
    const next = give()
    if (next !== undefined && next !== before) tabs.get(next)?.lead()
  }
  const leave = (name: string) => {
    const before = give()
    contenders = contenders.filter((one) => one !== name)
    letLead(before)
  }

  const openTab = (name: string, ...topics: string[]) => {
    const reports: string[] = []
    const sharing: StreamSharing = new StreamSharing(name, {
      send(message) {
        messages.push(message)
        if (!isShared) return
        for (const [other, tab] of tabs) if (other !== name) tab.hear(message)
      },
      contend() {
        if (!isShared) return sharing.lead()
        const before = give()
        contenders.push(name)
        letLead(before)
      },
      resign: () => leave(name),
      open(wanted) {
        streams.delete(name)
        if (wanted.length === 0) return
        opens.push(`${name}: ${wanted.join(' ')}`)
        if (isRefusing) return sharing.interrupted(5000)
        streams.set(name, wanted)
        sharing.opened()
      },
      wakeIn: (ms) => void timers.set(name, { at: now + ms, wake: () => sharing.wake() }),
      report(topic, report) {
        const detail = report.kind === 'event' ? report.event.name : report.kind
        reports.push(`${topic} ${detail}${report.kind === 'open' && report.hasMissed ? ', missed' : ''}`)
      },
    })
    tabs.set(name, sharing)
    sharing.setPresent(true)
    sharing.watch(topics)
    return {
      sharing,
      /** What was reported to its pages since the last time. */
      reported: () => reports.splice(0),
    }
  }
  return {
    openTab,
    streams,
    opens,
    messages,
    /** Without a word to the others: the browser releases the lock of a process that ended. */
    crash(name: string) {
      tabs.delete(name)
      streams.delete(name)
      timers.delete(name)
      leave(name)
    },
    pass(ms: number) {
      for (const end = now + ms; ;) {
        const [due] = [...timers].filter(([, { at }]) => at <= end).toSorted(([, one], [, other]) => one.at - other.at)
        if (due === undefined) return void (now = end)
        const [name, { at, wake }] = due
        timers.delete(name)
        now = Math.max(now, at)
        wake()
      }
    },
    send(topic: string, name = 'changed') {
      for (const [tab, topics] of streams)
        if (topics.includes(topic)) tabs.get(tab)?.received({ name, data: { topic } })
    },
    breakOff(waitMs: number) {
      for (const tab of streams.keys()) {
        streams.delete(tab)
        tabs.get(tab)?.interrupted(waitMs)
      }
    },
    setRefusing: (refuses: boolean) => void (isRefusing = refuses),
  }
}

type FakeBrowser = ReturnType<typeof openBrowser>

const openTabs = (browser: FakeBrowser, count: number) =>
  Array.from({ length: count }, (_, n) => browser.openTab(`tab ${n}`, 'project:willow'))

const streamsOf = ({ streams }: FakeBrowser) => [...streams].map(([tab, topics]) => `${tab}: ${topics.join(' ')}`)

describe('twelve tabs', () => {
  test('have one stream, which each of them receives', () => {
    const browser = openBrowser()
    const tabs = openTabs(browser, 12)
    browser.pass(SETTLE_MS)
    browser.send('project:willow')
    expect(streamsOf(browser)).toEqual(['tab 0: project:willow'])
    for (const { reported } of tabs) expect(reported()).toEqual(['project:willow open', 'project:willow changed'])
  })

  test('have twelve without a lock and a channel (negative control)', () => {
    const browser = openBrowser({ isShared: false })
    const tabs = openTabs(browser, 12)
    browser.pass(SETTLE_MS)
    browser.send('project:willow')
    expect(browser.streams.size).toBe(12)
    for (const { reported } of tabs) expect(reported()).toEqual(['project:willow open', 'project:willow changed'])
  })

  test('open one stream with all of their topics, although they start one after the other', () => {
    const browser = openBrowser()
    for (const n of [1, 2, 3]) browser.openTab(`tab ${n}`, `project:${n}`)
    browser.pass(SETTLE_MS)
    expect(browser.opens).toEqual(['tab 1: project:1 project:2 project:3'])
  })
})

describe('when the leading tab goes', () => {
  test.each(['is closed', 'crashes'])('because it %s, the next one leads, and all renew what they show', (how) => {
    const browser = openBrowser()
    const [first, ...others] = openTabs(browser, 4)
    browser.pass(SETTLE_MS)
    for (const { reported } of others) reported()
    if (how === 'crashes') browser.crash('tab 0')
    else first?.sharing.setPresent(false)
    browser.pass(SETTLE_MS)
    expect(streamsOf(browser)).toEqual(['tab 1: project:willow'])
    for (const { reported } of others) expect(reported()).toEqual(['project:willow open, missed'])
  })

  test('its topics are no longer carried', () => {
    const browser = openBrowser()
    const first = browser.openTab('first', 'project:willow', 'domain:willow/a.example')
    browser.openTab('second', 'project:willow')
    browser.pass(SETTLE_MS)
    first.sharing.setPresent(false)
    browser.pass(SETTLE_MS)
    expect(streamsOf(browser)).toEqual(['second: project:willow'])
  })

  test('and no new stream can be opened, the others poll', () => {
    const browser = openBrowser()
    const [first, second] = openTabs(browser, 2)
    browser.pass(SETTLE_MS)
    browser.setRefusing(true)
    first?.sharing.setPresent(false)
    second?.reported()
    browser.pass(SETTLE_MS)
    expect(second?.reported()).toEqual(['project:willow lost'])
  })
})

describe('a hidden tab', () => {
  test('closes the stream if no other is in front, and renews what it shows when it returns', () => {
    const browser = openBrowser()
    const { sharing, reported } = browser.openTab('only', 'project:willow')
    browser.pass(SETTLE_MS)
    sharing.setPresent(false)
    expect(browser.streams.size).toBe(0)
    sharing.setPresent(true)
    browser.pass(SETTLE_MS)
    expect(reported()).toEqual(['project:willow open', 'project:willow away', 'project:willow open, missed'])
  })

  test('receives nothing, and joins the stream of another tab when it returns', () => {
    const browser = openBrowser()
    const [, second] = openTabs(browser, 2)
    browser.pass(SETTLE_MS)
    second?.sharing.setPresent(false)
    second?.reported()
    browser.send('project:willow')
    expect(second?.reported()).toEqual([])
    second?.sharing.setPresent(true)
    expect(second?.reported()).toEqual(['project:willow open, missed'])
    expect(browser.opens).toHaveLength(1)
  })
})

describe('the topics', () => {
  test('of a tab that opens later are added by one new stream, and the others need not renew', () => {
    const browser = openBrowser()
    const first = browser.openTab('first', 'project:willow')
    browser.pass(SETTLE_MS)
    first.reported()
    const later = browser.openTab('later', 'project:willow', 'domain:willow/a.example')
    expect(later.reported()).toEqual(['project:willow open, missed'])
    browser.pass(SETTLE_MS)
    expect(streamsOf(browser)).toEqual(['first: project:willow domain:willow/a.example'])
    expect([first.reported(), later.reported()]).toEqual([[], ['domain:willow/a.example open']])
  })

  test('that no page watches any more are left out', () => {
    const browser = openBrowser()
    const { sharing } = browser.openTab('only', 'project:willow', 'domain:willow/a.example')
    browser.pass(SETTLE_MS)
    sharing.watch(['project:willow'])
    browser.pass(SETTLE_MS)
    expect(streamsOf(browser)).toEqual(['only: project:willow'])
    sharing.watch([])
    expect(browser.streams.size).toBe(0)
  })

  test('that the page replaces at once cause one stream', () => {
    const browser = openBrowser()
    const { sharing } = browser.openTab('only', 'project:willow')
    browser.openTab('other', 'project:willow')
    browser.pass(SETTLE_MS)
    sharing.watch(['project:elm'])
    sharing.watch(['project:willow'])
    browser.pass(SETTLE_MS)
    expect(browser.opens).toHaveLength(1)
  })

  test('above the cap are not carried, and their pages poll', () => {
    const browser = openBrowser()
    const tabs = Array.from({ length: TOPICS_MAX + 1 }, (_, n) => browser.openTab(`tab ${n}`, `project:${n}`, 'more'))
    browser.pass(SETTLE_MS)
    expect([...browser.streams.values()].map(({ length }) => length)).toEqual([TOPICS_MAX])
    expect(tabs.map(({ reported }) => reported().length)).toEqual([...Array<number>(TOPICS_MAX).fill(1), 0])
  })

  test('are as many as the server accepts', () => {
    expect(TOPICS_MAX).toBe(contract.TOPICS_MAX)
  })

  test('are taken from each tab in turn, each once', () => {
    expect(topicsToCarry([['a', 'b'], ['a', 'c'], ['d']], new Set(['c']))).toEqual(['a', 'd', 'b'])
    expect(topicsToCarry([], new Set())).toEqual([])
  })

  test('that the server has ended are not requested again, unless a page asks again', () => {
    const browser = openBrowser()
    const { sharing, reported } = browser.openTab('only', 'project:willow', 'domain:willow/a.example')
    browser.pass(SETTLE_MS)
    reported()
    browser.send('domain:willow/a.example', 'ended')
    browser.breakOff(2000)
    browser.pass(2000)
    expect(streamsOf(browser)).toEqual(['only: project:willow'])
    sharing.watch(['project:willow'])
    browser.pass(SETTLE_MS)
    sharing.watch(['project:willow', 'domain:willow/a.example'])
    browser.pass(SETTLE_MS)
    expect(streamsOf(browser)).toEqual(['only: project:willow domain:willow/a.example'])
  })

  test('have no stream when the server has ended all of them', () => {
    const browser = openBrowser()
    browser.openTab('only', 'project:willow')
    browser.pass(SETTLE_MS)
    browser.send('project:willow', 'ended')
    browser.pass(60_000)
    expect([browser.streams.size, browser.opens.length]).toEqual([0, 1])
  })
})

describe('a stream that breaks off', () => {
  test('is opened again after the time that the server asks for, and all tabs renew what they show', () => {
    const browser = openBrowser()
    const tabs = openTabs(browser, 3)
    browser.pass(SETTLE_MS)
    browser.breakOff(30_000)
    // A tab that opens in the meantime does not shorten the time.
    const later = browser.openTab('later', 'project:elm')
    browser.pass(29_999)
    expect(browser.streams.size).toBe(0)
    browser.pass(1)
    expect(streamsOf(browser)).toEqual(['tab 0: project:willow project:elm'])
    const expected = ['project:willow open', 'project:willow lost', 'project:willow open, missed']
    for (const { reported } of tabs) expect(reported()).toEqual(expected)
    expect(later.reported()).toEqual(['project:elm open'])
  })

  test('is opened at once when the server is reachable again', () => {
    const browser = openBrowser()
    const [first] = openTabs(browser, 2)
    browser.pass(SETTLE_MS)
    browser.breakOff(30_000)
    first?.sharing.wake()
    expect(streamsOf(browser)).toEqual(['tab 0: project:willow'])
  })

  test('and is refused again is reported each time, so that pages find out why', () => {
    const browser = openBrowser()
    const [, second] = openTabs(browser, 2)
    browser.pass(SETTLE_MS)
    second?.reported()
    browser.setRefusing(true)
    browser.breakOff(1000)
    browser.pass(1000)
    expect(second?.reported()).toEqual(['project:willow lost', 'project:willow lost'])
  })
})

describe('another account', () => {
  test.each([0, 1])('in tab %i ends the stream, and opens one with its rights', (tab) => {
    const browser = openBrowser()
    const tabs = openTabs(browser, 2)
    browser.pass(SETTLE_MS)
    tabs[tab]?.sharing.changeAccount()
    expect(browser.streams.size).toBe(0)
    browser.pass(SETTLE_MS)
    expect(browser.opens).toHaveLength(2)
    const expected = ['project:willow open', 'project:willow lost', 'project:willow open, missed']
    for (const { reported } of tabs) expect(reported()).toEqual(expected)
  })
})
