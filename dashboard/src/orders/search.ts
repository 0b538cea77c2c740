// The filter of the orders as a URL parameter, so that a link can be shared. Open orders
// are the default, which the URL omits.

export type OrderView = 'waiting' | 'decided' | 'all'
export type OrderSearch = { show?: Exclude<OrderView, 'waiting'> }

export const orderSearch = ({ show }: Record<string, unknown>): OrderSearch =>
  show === 'decided' || show === 'all' ? { show } : {}
