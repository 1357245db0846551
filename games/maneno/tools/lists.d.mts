export function list(name: string): string[];
