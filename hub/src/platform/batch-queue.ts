/**
 * Maximum number of items that a `BatchQueue` stores in one batch: 100; the rest waits for the next batch. A larger batch would delay all
 * other database work.
 */
const MOST_AT_ONCE = 100

/**
 * Divisor, 50, of the moving average by which a `BatchQueue` measures the interval between two arriving items: each arrival counts 1/50. A
 * larger value reacts more slowly. An interval of over a minute counts as a minute.
 */
const AVERAGED_ITEMS = 50
const LONGEST_INTERVAL_MS = 60_000

/**
 * Minimum waiting times of a `BatchQueue`, in ms. `apartMs`: from the start of one batch to the next. `companyMs`: from the arrival of a
 * batch's first item, so that other items can join it.
 */
export type BatchPace = { readonly apartMs: number; readonly companyMs: number }

type BatchQueueParts<In, Out> = {
  /**
   * Function that returns the key of an item, such as a system id. The queue never puts two items with the same key into one batch: the
   * second waits for the next batch.
   */
  readonly keyOf: (item: In) => string
  /**
   * Stores all items of a batch in one transaction, or rejects. Resolves to one result for each item, in the order of the batch; `add`
   * resolves to that result.
   */
  readonly store: (batch: readonly In[]) => Promise<readonly Out[]>
  /**
   * Function that returns the minimum waiting times of the queue before its next batch. It gets the average interval, in ms, between two
   * arriving items, so that a busy queue can wait longer.
   */
  readonly pace: (intervalMs: number) => BatchPace
  /** Function that returns true for an item that must be stored at once. Its batch then starts without the minimum waiting times. */
  readonly isUrgent: (item: In) => boolean
  /**
   * Returns true for an error of `store` that a single bad item may have caused. The queue then calls `store` again for each item of the
   * batch alone.
   */
  readonly isFaultOfOne: (error: unknown) => boolean
  /** Function that returns the current time of a monotonic clock, in ms, by which the queue measures its waiting times. */
  readonly nowMs: () => number
}

export type BatchQueue<In, Out> = {
  /**
   * Adds an item to the queue. Resolves to the result that `store` gives for the item. Rejects with the error of its batch or, if its items
   * were then stored alone, with its own error.
   */
  readonly add: (item: In) => Promise<Out>
  /** Stores the queued items without further waiting. Resolves when all items of the queue are stored or have failed. */
  readonly settled: () => Promise<void>
  /** Returns the number of items that are in the queue or in the batch that is being stored. */
  readonly waiting: () => number
}

type Waiting<In, Out> = { readonly item: In; readonly resolve: (out: Out) => void; readonly reject: (error: unknown) => void }

/**
 * Creates a queue to which `add` adds items. It stores them in batches of at most 100, one batch after the other. `pace` gives the minimum
 * waiting times of each batch. They do not apply to 100 queued items, an urgent item, or while `settled` waits.
 */
export function batchQueue<In, Out>({ keyOf, store, pace, isUrgent, isFaultOfOne, nowMs }: BatchQueueParts<In, Out>): BatchQueue<In, Out> {
  let waiting: Waiting<In, Out>[] = []
  let timer: { readonly timeout: NodeJS.Timeout; readonly dueAtMs: number } | undefined
  let isSettling = false
  let hasUrgent = false
  let running: Promise<void> | undefined
  /**
   * Number of items in the batch that the queue's `store` function is storing now; 0 between two batches. `waiting` adds it to the queued
   * items.
   */
  let beingStored = 0
  let begunAtMs = Number.NEGATIVE_INFINITY
  let firstAtMs = Number.NEGATIVE_INFINITY
  let intervalMs = LONGEST_INTERVAL_MS
  let lastMs = Number.NEGATIVE_INFINITY

  function noteArrival(): void {
    const now = nowMs()
    intervalMs += (Math.min(now - lastMs, LONGEST_INTERVAL_MS) - intervalMs) / AVERAGED_ITEMS
    lastMs = now
    if (waiting.length === 0) firstAtMs = now
  }

  function schedule(): void {
    if (running !== undefined || waiting.length === 0) return
    const isHurried = isSettling || waiting.length >= MOST_AT_ONCE || hasUrgent
    const { apartMs, companyMs } = pace(intervalMs)
    const dueAtMs = isHurried ? Number.NEGATIVE_INFINITY : Math.max(begunAtMs + apartMs, firstAtMs + companyMs)
    if (timer !== undefined && timer.dueAtMs <= dueAtMs) return
    clearTimeout(timer?.timeout)
    timer = undefined
    const waitMs = dueAtMs - nowMs()
    if (waitMs > 0) timer = { timeout: setTimeout(begin, waitMs), dueAtMs }
    else {
      // Items that are added in this turn of the event loop join the batch.
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
        if (at in outcomes) resolve(outcomes[at] as Out) // an outcome may be `undefined`, so the index decides
        else reject(new RangeError(`Cannot tell what came of item ${at}: the store gave ${outcomes.length} outcomes`))
      }
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne(error)) for (const one of batch) await storeAll([one])
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
