// A day as a person chooses it in a calendar is whole: a key works until its last second,
// where that person is.

export function endOfDay(day: string): string | null {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  const end = new Date(year, month - 1, date, 23, 59, 59)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
