// Reads the limits of an installation: JSON that overrides any of those in limit-table.ts. Pure. An unknown name or a value
// that cannot be meant is a mistake, and the program does not start with one.

import { plans, type PlanName } from '@petstore-platform/contract/platform/projects'
import type { PerPlan } from './limit-table.ts'
import { defaultLimits, isOrdered, mapped, type LimitTable } from './limits.ts'

/** The default where a limit is not named, or where it is a mistake. */
export function limitTableOf(text: string | undefined, mistakes: string[]): LimitTable {
  if (text === undefined || text === '') return defaultLimits
  const given = parsed(text)
  if (given === undefined) {
    mistakes.push('LIMITS must be a JSON object with the names of limits, such as {"animals": {"free": 500}}.')
    return defaultLimits
  }
  const { ofPlan, other } = defaultLimits
  const known = [...Object.keys(ofPlan), ...Object.keys(other)]
  for (const name of Object.keys(given)) {
    if (!known.includes(name))
      mistakes.push(`LIMITS names '${name}', which is not a limit. There are: ${known.join(', ')}.`)
  }
  return {
    ofPlan: mapped(ofPlan, (name, limit) => planLimitOf(name, limit, given[name], mistakes)),
    other: mapped(other, (name, limit) => otherLimitOf(name, limit, given[name], mistakes)),
  }
}

type Json = Readonly<Record<string, unknown>>

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isPlan = (name: string): name is PlanName => plans.some((plan) => plan === name)

/** One number for all plans, or some of them: `{"free": 500}`. */
function planLimitOf(name: string, limit: PerPlan, given: unknown, mistakes: string[]): PerPlan {
  if (given === undefined) return limit
  if (isCount(given)) return { free: given, pro: given, enterprise: given }
  const isGood = isObject(given) && Object.entries(given).every(([plan, most]) => isPlan(plan) && isCount(most))
  const merged = isGood ? { ...limit, ...given } : limit
  if (!isGood) mistakes.push(`LIMITS: '${name}' takes a whole number, or one for some of ${plans.join(', ')}.`)
  else if (!isOrdered(merged)) mistakes.push(`LIMITS: '${name}' gives a larger plan less than a smaller one.`)
  return merged
}

function otherLimitOf(name: string, limit: number, given: unknown, mistakes: string[]): number {
  if (given === undefined) return limit
  if (isCount(given) && given > 0) return given
  mistakes.push(`LIMITS: '${name}' takes a whole number from 1.`)
  return limit
}
