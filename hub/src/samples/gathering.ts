/** In one store: one that takes too long holds up everything else. */
const MOST_AT_ONCE = 100

/** Of so many items the average time between two is known; longer than this counts as this. */
const REMEMBERED = 50
const SELDOM_MS = 60_000

/** When a store may begin: so long after the last one began, and after the first of what it takes came. */
export type Pace = { readonly apartMs: number; readonly companyMs: number }

type GatheringParts<In, Out> = {
  /** Two of one key are never in one batch. */
  readonly keyOf: (item: In) => string
  /** An outcome for each, in order; all or nothing. */
  readonly store: (batch: readonly In[]) => Promise<readonly Out[]>
  /** Where items come so many milliseconds after each other on average. */
  readonly pace: (betweenItemsMs: number) => Pace
  /** Whether an item waits for no company: its batch begins at once. */
  readonly isUrgent: (item: In) => boolean
  /** Whether a batch may have failed because of one of its items: then each is stored on its own. */
  readonly mayBeOneOfThem: (error: unknown) => boolean
  /** A clock that only goes forward. */
  readonly nowMs: () => number
}

type Gathering<In, Out> = {
  /** The outcome once it is stored. */
  readonly add: (item: In) => Promise<Out>
  /** Resolves when everything that was added is stored or has failed. */
  readonly settled: () => Promise<void>
  /** How many are not stored yet. */
  readonly waiting: () => number
}

type Waiting<In, Out> = { readonly item: In; readonly resolve: (out: Out) => void; readonly reject: (error: unknown) => void }

/**
 * Stores what arrives in batches, one after the other: the first at once, then what came while the last was being stored, or
 * until the next one may begin.
 */
export function gathering<In, Out>({ keyOf, store, pace, isUrgent, mayBeOneOfThem, nowMs }: GatheringParts<In, Out>): Gathering<In, Out> {
  let waiting: Waiting<In, Out>[] = []
  let timer: { readonly timeout: NodeJS.Timeout; readonly dueAtMs: number } | undefined
  let isSettling = false
  let hasUrgent = false
  let running: Promise<void> | undefined
  /** Items of the batch that is being stored, without outcome yet. */
  let beingStored = 0
  let begunAtMs = Number.NEGATIVE_INFINITY
  let firstAtMs = Number.NEGATIVE_INFINITY
  let betweenMs = SELDOM_MS
  let lastMs = Number.NEGATIVE_INFINITY

  function noteArrival(): void {
    const now = nowMs()
    betweenMs += (Math.min(now - lastMs, SELDOM_MS) - betweenMs) / REMEMBERED
    lastMs = now
    if (waiting.length === 0) firstAtMs = now
  }

  function schedule(): void {
    if (running !== undefined || waiting.length === 0) return
    const isHurried = isSettling || waiting.length >= MOST_AT_ONCE || hasUrgent
    const { apartMs, companyMs } = pace(betweenMs)
    const dueAtMs = isHurried ? Number.NEGATIVE_INFINITY : Math.max(begunAtMs + apartMs, firstAtMs + companyMs)
    if (timer !== undefined && timer.dueAtMs <= dueAtMs) return
    clearTimeout(timer?.timeout)
    timer = undefined
    const waitMs = dueAtMs - nowMs()
    if (waitMs > 0) timer = { timeout: setTimeout(begin, waitMs), dueAtMs }
    else {
      // What arrives in this turn of the event loop comes along.
      running = new Promise<void>((resolve) => setImmediate(resolve)).then(run)
    }
  }

  function begin(): void {
    timer = undefined
    running = run()
  }

  async function run(): Promise<void> {
    begunAtMs = nowMs()
    const batch = take()
    beingStored = batch.length
    await storeAll(batch)
    beingStored = 0
    running = undefined
    schedule()
  }

  function take(): readonly Waiting<In, Out>[] {
    const batch = new Map<string, Waiting<In, Out>>()
    const later: Waiting<In, Out>[] = []
    for (const one of waiting) {
      if (batch.size >= MOST_AT_ONCE || batch.has(keyOf(one.item))) later.push(one)
      else batch.set(keyOf(one.item), one)
    }
    waiting = later
    hasUrgent = later.some(({ item }) => isUrgent(item))
    return [...batch.values()]
  }

  async function storeAll(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outcomes = await store(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        if (at in outcomes) resolve(outcomes[at] as Out) // it is there, whatever it is
        else reject(new RangeError(`Cannot tell what came of item ${at}: the store gave ${outcomes.length} outcomes`))
      }
    } catch (error) {
      if (batch.length > 1 && mayBeOneOfThem(error)) for (const one of batch) await storeAll([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        noteArrival()
        waiting.push({ item, resolve, reject })
        hasUrgent ||= isUrgent(item)
        schedule()
      }),
    waiting: () => waiting.length + beingStored,
    async settled() {
      isSettling = true
      schedule()
      while (running !== undefined) await running
      isSettling = false
    },
  }
}
