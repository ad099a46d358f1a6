// Carries the precompiled header of tests and programs; a program needs a main().
int main() {
  return 0;
}
