// `Counts` holds how many of something each user has at a time. A user that has none takes no memory.

export class Counts<User> {
  readonly #counts = new Map<User, number>()

  of(user: User): number {
    return this.#counts.get(user) ?? 0
  }

  /** Returns how many the user has then. */
  add(user: User, more: 1 | -1): number {
    const count = this.of(user) + more
    if (count > 0) this.#counts.set(user, count)
    else this.#counts.delete(user)
    return count
  }

  withAtLeast(least: number): User[] {
    return [...this.#counts].filter(([, count]) => count >= least).map(([user]) => user)
  }
}
