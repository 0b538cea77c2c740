// The steps of an import in their order, and the address of each.

export const steps = ['choose', 'columns', 'values', 'review', 'done'] as const
export type ImportStep = (typeof steps)[number]

const base = '/projects/$project/animals/import'

export const addressOf = {
  choose: base,
  columns: `${base}/$import/columns`,
  values: `${base}/$import/values`,
  review: `${base}/$import/review`,
  done: `${base}/$import/done`,
} as const satisfies Record<ImportStep, string>
