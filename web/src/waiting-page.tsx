import { Spinner } from './ui/spinner.tsx'
import * as words from './words/messages.js'

/** Shown until the code of a page has come. */
export const WaitingPage = () => (
  <main className="flex flex-1">
    <Spinner label={words.loading()} />
  </main>
)
