// Two trees of the program, compared in one sitting: from the figures of its rounds to a verdict.
// In each round this tree, the other one and this tree again are measured one after the other, so
// the ratios are formed within a round, under the same conditions, and their median is
// taken over the rounds. The second measurement of this tree shows which ratios mean nothing.
// Pure.

import { aligned, fixed, whole } from './table.ts'

/** Of one measurement: requests per second, and microseconds of processor time per request. */
export type Figures = { perSecond: number; micros: number }

export const sides = ['ours', 'theirs', 'again'] as const
export type Side = (typeof sides)[number]
export type PairedRound = Readonly<Record<Side, Figures>>

/** This tree as a share of the other, and how far this tree as a share of itself may be from 1. */
export type Ratio = { ratio: number; spread: number; isWorse: boolean; ours: number; theirs: number }
export type Judged = Readonly<Record<keyof Figures, Ratio>>

/** A smaller loss is never reported, however quiet the machine. */
const LOSS_MIN = 0.05

const lossOf: Readonly<Record<keyof Figures, (ratio: number) => number>> = {
  perSecond: (ratio) => 1 - ratio,
  micros: (ratio) => ratio - 1,
}

/** All six orders come up in turn: what precedes a measurement may slow it down, and the machine drifts. */
export function orderOf(round: number): readonly Side[] {
  const inTurn = round % 2 === 0 ? sides : sides.toReversed()
  const first = round % sides.length
  return [...inTurn.slice(first), ...inTurn.slice(0, first)]
}

export const judge = (rounds: readonly PairedRound[]): Judged => ({
  perSecond: ratioOf(rounds, 'perSecond'),
  micros: ratioOf(rounds, 'micros'),
})

function ratioOf(rounds: readonly PairedRound[], figure: keyof Figures): Ratio {
  const ratio = median(rounds.map(({ ours, theirs }) => ours[figure] / theirs[figure]))
  const spread = spreadOf(
    rounds.map(({ ours, again }) => again[figure] / ours[figure]),
    lossOf[figure],
  )
  return {
    ratio,
    spread,
    // Written so that a figure that is missing counts as worse.
    isWorse: !(lossOf[figure](ratio) <= Math.max(LOSS_MIN, spread)),
    ours: median(rounds.map(({ ours }) => ours[figure])),
    theirs: median(rounds.map(({ theirs }) => theirs[figure])),
  }
}

/**
 * The loss at the farther end of the 95 % confidence interval of the median. The interval reaches
 * from one of the sorted ratios to its counterpart from the other end, whatever their
 * distribution: of nine, from the second to the eighth. Which instance is divided by which is
 * arbitrary, so an end counts in the direction that is a loss: twice as fast is half as fast.
 */
export function spreadOf(ratios: readonly number[], loss: (ratio: number) => number): number {
  const sorted = ratios.toSorted((a, b) => a - b)
  const skipped = skippedAtEachEnd(sorted.length)
  const ends = [sorted[skipped] ?? Number.NaN, sorted.at(-1 - skipped) ?? Number.NaN]
  return Math.max(...ends.flatMap((end) => [loss(end), loss(1 / end)]))
}

/** As many as leave at most 2.5 % for the median to be beyond them, by the binomial distribution; of a few rounds none. */
function skippedAtEachEnd(count: number): number {
  let chance = 0.5 ** count
  let sum = chance
  let skipped = 0
  for (;;) {
    chance *= (count - skipped) / (skipped + 1)
    sum += chance
    if (sum > 0.025 || skipped + 1 >= count / 2) return skipped
    skipped += 1
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2
}

type Named = { workload: string; reasons: string[] }

/** The workloads that became worse, each with the ratios that say so. */
export const worseOf = (judged: Readonly<Record<string, Judged>>): Named[] =>
  namedIn(judged, ({ ratio, isWorse }) => (isWorse ? fixed(ratio) : undefined))

/** The workloads in which a loss of more than 5 % may have gone unnoticed, since this tree is that far from itself. */
export const unclearOf = (judged: Readonly<Record<string, Judged>>): Named[] =>
  namedIn(judged, ({ spread, isWorse }) => (spread > LOSS_MIN && !isWorse ? `± ${fixed(spread)}` : undefined))

function namedIn(judged: Readonly<Record<string, Judged>>, reasonOf: (ratio: Ratio) => string | undefined): Named[] {
  return Object.entries(judged)
    .map(([workload, { perSecond, micros }]) => ({
      workload,
      reasons: Object.entries({ rate: perSecond, 'processor time': micros }).flatMap(([figure, ratio]) => {
        const reason = reasonOf(ratio)
        return reason === undefined ? [] : [`${figure} ${reason}`]
      }),
    }))
    .filter(({ reasons }) => reasons.length > 0)
}

/** What the figures say, in sentences: what is worse, and what they cannot tell. */
export function verdictOf(judged: Readonly<Record<string, Judged>>, against: string): string {
  const [worse, unclear] = [worseOf(judged), unclearOf(judged)].map((named) =>
    named.map(({ workload, reasons }) => `${workload} (${reasons.join(', ')})`).join('; '),
  )
  return [
    worse ? `Worse than ${against}: ${worse}.` : `No workload was found to be worse than ${against}.`,
    ...(unclear ? [`Too noisy to notice a loss of 5 %: ${unclear}.`] : []),
  ].join('\n')
}

export function tableOf(judged: Readonly<Record<string, Judged>>): string {
  const cells = ({ ratio, spread, isWorse, ours, theirs }: Ratio) => [
    `${fixed(ratio)}${isWorse ? ' worse' : ''}`,
    `± ${fixed(spread)}`,
    whole(ours),
    whole(theirs),
  ]
  return aligned([
    ['', 'rate', 'itself', 'this /s', 'ref /s', 'processor time', 'itself', 'this µs', 'ref µs'],
    ...Object.entries(judged).map(([workload, { perSecond, micros }]) => [
      workload,
      ...cells(perSecond),
      ...cells(micros),
    ]),
  ])
}
