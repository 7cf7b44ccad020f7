package dev.stint.stall;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads a second copy of Stint, in which the memory store and the algorithms call {@link
 * Points#reach} before every call and every allocation they make.
 */
final class InstrumentedLoader extends ClassLoader {

  private static final String STINT = "dev.stint.";
  private static final Set<String> INSTRUMENTED =
      Set.of("dev.stint.memory.", "dev.stint.algorithm.");

  /** What gives back rows, locks and room. An error in there is not injected: see StackProbe. */
  private static final Set<String> RELEASES =
      Set.of(
          "RowHold.release",
          "Segment.publish",
          "Seat.giveBack",
          "Seats.giveBack",
          "Joint.giveBack",
          "Table.unreserve",
          "Table.thaw",
          "Table.lock",
          "StripeLocks.unlock",
          "ReentrantLock.isHeldByCurrentThread",
          "ReentrantLock.unlock");

  InstrumentedLoader() {
    super(InstrumentedLoader.class.getClassLoader());
  }

  /** An object of the copy of this class, which has a constructor without arguments. */
  static Runnable copyOf(Class<? extends Runnable> type) throws ReflectiveOperationException {
    Class<?> copy = new InstrumentedLoader().loadClass(type.getName());
    return (Runnable) copy.getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(STINT) || name.startsWith(Points.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      if (INSTRUMENTED.stream().anyMatch(name::startsWith)) {
        bytes = instrumented(bytes);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] instrumented(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    String owner = simpleName(reader.getClassName());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
            return name.equals("<clinit>") ? next : new Hooks(next, isRelease(owner, name));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static boolean isRelease(String owner, String method) {
    return RELEASES.contains(simpleName(owner) + "." + method);
  }

  private static String simpleName(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1);
  }

  private static final class Hooks extends MethodVisitor {

    private final boolean release;

    Hooks(MethodVisitor next, boolean release) {
      super(Opcodes.ASM9, next);
      this.release = release;
    }

    private void hook(boolean atRelease) {
      super.visitInsn(atRelease ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, Points.class.getName().replace('.', '/'), "reach", "(Z)V", false);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isInterface) {
      hook(release || isRelease(owner, name));
      super.visitMethodInsn(opcode, owner, name, type, isInterface);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      super.visitTypeInsn(opcode, type);
      // After it, not before: the class file names an unfinished object by where its NEW stands.
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        hook(release);
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        hook(release);
      }
      super.visitIntInsn(opcode, operand);
    }
  }
}
