// Which requests are shown, as a URL parameter, so that a link can be shared. Open ones are the default, which the
// URL omits.

export type OrderView = 'open' | 'closed'
export type OrderSearch = { show?: Exclude<OrderView, 'open'> }

export const orderSearch = ({ show }: Record<string, unknown>): OrderSearch => (show === 'closed' ? { show } : {})
