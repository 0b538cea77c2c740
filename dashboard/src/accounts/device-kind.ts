// The kind of a device by the name that the server gives it, such as "Firefox on Windows". Pure.

export type DeviceKind = 'phone' | 'tablet' | 'computer' | 'unknown'

/** Android runs on tablets as well, but far more often on phones. */
const kinds: readonly (readonly [RegExp, DeviceKind])[] = [
  [/\biPad\b/, 'tablet'],
  [/\b(?:iPhone|Android)\b/, 'phone'],
  [/\b(?:Windows|Mac|Linux|ChromeOS)\b/, 'computer'],
]

export const deviceKind = (device: string | null): DeviceKind =>
  kinds.find(([pattern]) => device !== null && pattern.test(device))?.[1] ?? 'unknown'
