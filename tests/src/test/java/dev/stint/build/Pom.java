package dev.stint.build;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** A module's pom.xml, as it is written. */
record Pom(Document document) {

  /** The one in this folder of the project. */
  static Pom of(String folder) throws Exception {
    Path file = Path.of("..").resolve(folder).resolve("pom.xml");
    return new Pom(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
  }

  /** The texts at a path such as {@code modules/module}. */
  List<String> texts(String path) throws Exception {
    NodeList nodes =
        (NodeList)
            XPathFactory.newInstance()
                .newXPath()
                .evaluate("/project/" + path, document, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent().strip());
    }
    return texts;
  }

  /** The text at a path; empty if there is none. */
  String text(String path) throws Exception {
    List<String> texts = texts(path);
    return texts.isEmpty() ? "" : texts.get(0);
  }
}
