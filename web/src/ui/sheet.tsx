import { Modal, type ModalProps } from './modal.tsx'

/**
 * React component: modal sheet along the right edge of the page, which stays readable beside it. It is open as long as it is rendered;
 * Escape and a press outside call `onClose`.
 */
export const Sheet = (modal: ModalProps) => (
  <Modal {...modal} backdrop="bg-[rgb(0_0_0/0.2)]" className="inset-y-0 right-0 w-full max-w-lg border-l max-sm:p-3" />
)
