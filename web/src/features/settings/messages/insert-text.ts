export type TextControl = HTMLInputElement | HTMLTextAreaElement

/**
 * Replaces the selection of a text field by a text, as if it was typed, and focuses the field. Nothing is inserted if the field would
 * exceed its maximum length.
 */
export function insertText(control: TextControl, text: string): void {
  const [start, end] = [control.selectionStart ?? control.value.length, control.selectionEnd ?? control.value.length]
  control.focus()
  if (control.maxLength >= 0 && control.value.length - (end - start) + text.length > control.maxLength) return
  control.setRangeText(text, start, end, 'end')
  // React notices a value that was set by the program only with this event.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}
