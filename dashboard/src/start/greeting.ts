// The greeting of the first page: by the time of day, with the first name. Pure.

type DayPart = 'morning' | 'afternoon' | 'evening'

/** The night belongs to the evening before it. */
export const dayPartOf = (hour: number): DayPart =>
  hour >= 5 && hour < 12 ? 'morning' : hour >= 12 && hour < 18 ? 'afternoon' : 'evening'

export const firstNameOf = (name: string): string => name.trim().split(/\s+/u)[0] ?? ''
