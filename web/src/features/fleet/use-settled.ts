import { useEffect, useState } from 'react'

/**
 * React hook: returns true once the component has been mounted for `delayMs` ms, before that false. Rows use it to fetch nothing while the
 * user scrolls fast.
 */
export function useSettled(delayMs: number): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isSettled
}
